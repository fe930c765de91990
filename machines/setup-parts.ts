/** Parts of the setup that several machines have in common. */

/** More microsteps than this in one transition are an endless loop; the longest real one takes three. */
export const MICROSTEPS_MAX = 20

/** Stands in for an effect until `provide` adds it. */
export const notProvided = (): Promise<never> => Promise.reject(new Error('This effect is not provided'))

/** Action without an effect: it names a task for the step that sent the event. */
export const task = (): void => undefined
