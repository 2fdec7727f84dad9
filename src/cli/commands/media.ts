import type { Command } from 'commander'
import type { App } from '../app.ts'
import { limitDescription, wholeNumber } from './shared/options.ts'
import { declareOutput, mediaShape, rowsOutput } from './shared/output-forms.ts'

export const mediaDescription = 'List and upload the images of a site'

/** calctl media: the images that events, venues and organizers can have. */
export function media(noun: Command, app: App): void {
  declareOutput(noun.command('list'), rowsOutput(mediaShape))
    .description('List images, the newest first')
    .option('--search <text>', 'Images with these words in their names or titles')
    .option('--limit <number>', limitDescription, wholeNumber('--limit', 1))
    .action(async options => (await import('./media/media-items.ts')).listImages(app, options))
  declareOutput(noun.command('upload'), rowsOutput(mediaShape))
    .description('Upload image files that are not on the site yet')
    .argument('<file...>', 'JPEG, PNG, GIF, WebP or AVIF files')
    .option('--image-alt <text>', 'Alternative text of the images')
    .addHelpText('after', examples)
    .action(async (files, options) => (await import('./media/media-items.ts')).uploadImages(app, files, options))
}

const examples = `
The same file is uploaded only once. calctl undo does not remove uploads.

Examples:
  calctl media upload poster.jpg --image-alt "A stage at night"
  calctl media upload posters/*.jpg -o ids`
