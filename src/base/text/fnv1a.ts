/** FNV-1a in 32 bits, continued. */
export function fnv1a(text: string, before = 0): number {
  let hash = before ^ 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
