import { crc32, deflateSync } from 'node:zlib'
import type { PixelSize } from '../render/image-sizes.ts'

type Color = readonly [red: number, green: number, blue: number]

/** The colours of an hour of the day, from the top of the sky to the nearest hill. */
const moods: readonly (readonly Color[])[] = [
  [
    [92, 148, 196],
    [228, 220, 198],
    [126, 152, 140],
    [84, 118, 100],
    [46, 76, 66],
  ],
  [
    [58, 62, 110],
    [236, 152, 104],
    [138, 96, 110],
    [92, 62, 84],
    [48, 36, 58],
  ],
  [
    [120, 176, 178],
    [240, 232, 206],
    [190, 176, 122],
    [140, 142, 84],
    [82, 98, 60],
  ],
]

/** A landscape of hills under a sky as a PNG file, always the same for the same name. */
export function drawPicture(name: string, { width, height }: PixelSize): Uint8Array {
  const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)
  const [top, horizon, ...hills] = moods[seed % moods.length] as [Color, Color, ...Color[]]
  const palette = [...shades(top, horizon), ...hills]
  const crests = hills.map((_, hill) => crestOf(seed + hill * 17, hill, { width, height }))
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    const sky = Math.min(skyShades - 1, Math.floor((y / height) * skyShades * 1.5))
    for (let x = 0; x < width; x++) {
      const hill = crests.findLastIndex(crest => y >= (crest[x] as number))
      rows[y * (width + 1) + 1 + x] = hill < 0 ? sky : skyShades + hill
    }
  }
  return pngOf({ width, height }, palette, rows)
}

const skyShades = 48

/** The colours of the sky, shading from one to another. */
const shades = (from: Color, to: Color): Color[] =>
  Array.from({ length: skyShades }, (_, step) => {
    const share = step / (skyShades - 1)
    return from.map((value, part) => Math.round(value + ((to[part] as number) - value) * share)) as unknown as Color
  })

/** The height at which a hill begins in each column, in pixels from the top. */
function crestOf(seed: number, hill: number, { width, height }: PixelSize): number[] {
  const middle = height * (0.52 + hill * 0.16)
  return Array.from({ length: width }, (_, x) => {
    const angle = (x / width) * Math.PI
    return middle + height * (0.07 * Math.sin(angle * 2.3 + seed) + 0.03 * Math.sin(angle * 5.9 + seed * 1.7))
  })
}

/** A PNG file of rows that each begin with the byte of their filter, and name colours of the palette. */
function pngOf({ width, height }: PixelSize, palette: readonly Color[], rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts: [string, Uint8Array][] = [
    ['IHDR', header],
    ['PLTE', Buffer.from(palette.flat())],
    ['IDAT', deflateSync(rows)],
    ['IEND', Buffer.alloc(0)],
  ]
  return Buffer.concat([signature, ...parts.map(([type, data]) => chunkOf(type, data))])
}

function chunkOf(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
