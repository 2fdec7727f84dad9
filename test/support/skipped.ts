/**
 * The end of the name of a test that may be skipped, with the reason if it is: `test.skipIf(!hasJq)(`…${skipped(!hasJq, 'jq is not
 * installed')}`)`. The last lines of a run count the reasons.
 */
export const skipped = (isSkipped: boolean, reason: string): string => (isSkipped ? ` (skipped: ${reason})` : '')

/** The reason in the name of a skipped test. */
export const reasonIn = (name: string): string | undefined => /\(skipped: ([^)]+)\)/.exec(name)?.[1]

/** Why tests that take long are skipped. */
export const onlyInSoak = 'only in npm run soak'
