import type { Command } from 'commander'
export const manualPage = (command: Command): string => command.name()
