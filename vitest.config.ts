import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/reporter.ts'],
    env: { NO_COLOR: '', TZ: 'Europe/Madrid' },
  },
})
