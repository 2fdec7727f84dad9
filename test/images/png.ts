/** A PNG of this size: its beginning, which says how large it is, and bytes that make it different from others. */
export function png(width: number, height: number, seed = 0): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(64)
  file.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  file.writeUInt32BE(seed, 40)
  return file
}
