// The prompts that calctl uses: the package's editor prompt alone brings half a megabyte of character sets.
export { input, password, search, select } from '@inquirer/prompts'
