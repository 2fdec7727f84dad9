import type { Command } from 'commander'
import { Failure } from '../../base/failure.ts'
import type { App } from '../app.ts'
import { declareOutput, noOutput } from './shared/output-forms.ts'

/** calctl trust: lets the project file of this folder say where credentials are sent. */
export function trust(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .option('--remove', 'Stop trusting the file')
    .action(async ({ remove }: { remove?: true }) => {
      const { findProjectFile } = await import('../profiles/config.ts')
      const path = findProjectFile(app.world.cwd)
      if (path === undefined)
        throw new Failure('settings', 'no .calctl.json in this folder or above', {
          hint: 'change to the folder of a project, or create the file there',
        })
      await app.notice(remove ? await distrust(app, path) : await trustProject(app, path))
    })
}

async function distrust({ world }: App, path: string): Promise<string> {
  const { distrustFile } = await import('../profiles/project-trust.ts')
  const wasTrusted = await distrustFile(world, path)
  return wasTrusted ? `${path} is no longer trusted` : `${path} was not trusted`
}

/** What is said to be trusted is of the same reading as what is trusted. */
async function trustProject({ world }: App, path: string): Promise<string> {
  const { readProject } = await import('../profiles/config.ts')
  const { trustFile } = await import('../profiles/project-trust.ts')
  const { source, baseUrl, namespace } = readProject(world.cwd)
  const settings = Object.entries({ baseUrl, namespace }).filter(([, value]) => value !== undefined)
  if (source === undefined || settings.length === 0) return `${path} needs no trust: it has no baseUrl and no namespace`
  await trustFile(world, source)
  return `trusted ${source.path}: ${settings.map(setting => setting.join(' ')).join(', ')}`
}
