import { defineConfig } from 'vitest/config'

/** Test files that replace modules of the project, which must not reach other files. */
const replacing = ['test/field-law.test.ts', 'test/kind-law.test.ts']

export default defineConfig({
  test: {
    // Vitest leaves one of two cores alone by itself.
    maxWorkers: 2,
    // On the shared machines of CI one slow moment must not refuse a change; the last lines name what needed a second try.
    retry: process.env.CI ? 1 : 0,
    // Only for tests that hang: no outcome may depend on how fast a machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ['default', './test/support/reporter.ts'],
    env: { NO_COLOR: '', TZ: 'Europe/Madrid' },
    setupFiles: ['test/support/temp-folder.ts'],
    // Keeps transformed modules below node_modules, by their contents: one file answers in two thirds of the time.
    experimental: { fsModuleCache: true },
    projects: [
      // The files of a process share the modules that they load, which saves time.
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: replacing,
          globalSetup: ['test/support/bundles-folder.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: replacing } },
    ],
  },
})
