import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import type { Command } from 'commander'
import { version } from '../../../package.json'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import type { World } from '../world.ts'
import type { RunLine } from './mcp/calendar-desk.ts'
import { declareOutput, textOutput } from './shared/output-forms.ts'

/** calctl mcp: serves the calendar to assistants on stdin and stdout; `run` carries out a command line of calctl. */
export function mcp(command: Command, app: App, run: RunLine): void {
  declareOutput(command, textOutput)
    .addHelpText('after', notes())
    .action(async () => {
      const { world } = app
      world.statusUnread = 'none'
      const { readPage } = await import('./help/topics.ts')
      const { createDesk } = await import('./mcp/calendar-desk.ts')
      const { serveAssistants } = await import('../../assistants/conversation.ts')
      await serveAssistants(createDesk(app, run), {
        input: world.stdin,
        output: writableOf(world.stdout),
        stopping: world.stopping(),
        version,
        skill: readPage('../skills/calctl/SKILL') ?? '',
        sleep: world.sleep,
        warn: sentence => void app.notice(sentence),
        report: error => void world.stderr.write(`${inspect(error)}\n`),
      })
    })
}

const writableOf = ({ write }: World['stdout']): Writable =>
  new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => void write(text, 'json').then(() => done(), done),
  })

const notes = () => `
${phrase('A program that holds conversations starts this command and speaks the Model Context Protocol with it. It can look at the calendar and make plans; only a person who presses Apply on a page has a plan carried out.')}`
