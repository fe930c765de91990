/** Readings of texts for comparing facts, made in one go. */
import { readText } from '../../src/domain/facts/reading.js'
import type { Reading } from '../../src/domain/facts/words.js'
import { inOneGo } from '../../src/domain/pieces.js'

export function readAtOnce(text: string): Reading {
  return inOneGo(readText(text))
}
