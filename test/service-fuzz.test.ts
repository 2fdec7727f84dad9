import { test } from 'vitest'
import { sendAnything } from './fuzz.ts'

test('no request makes a 500, every error has its shape, and what is refused changes nothing', () =>
  sendAnything(1500, 7))
