import type { App } from '../../app.ts'
import { createApp } from '../../create-app.ts'

/** An app of its own beside that of a command that goes on for long: a calendar file is locked only until it is closed. */
export const appBeside = (app: App, world = app.world, globals = app.globals): App =>
  createApp(
    world,
    () => globals,
    () => app.command,
  )

/** Works with an app, and closes it. */
export async function closing<T>(app: App, work: (app: App) => Promise<T>): Promise<T> {
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}
