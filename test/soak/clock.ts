/** A module that puts the clock of its process forward by `CLOCK_OFF` milliseconds: `node --import` loads it. */
export const clockSetter = `data:text/javascript,${encodeURIComponent(`
  const off = Number(process.env.CLOCK_OFF)
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + off) : super(...given) }
    static now() { return Real.now() + off }
  }`)}`
