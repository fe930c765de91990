/** Focus in the list of memories: one Tab stop, and arrow keys between its controls (the roving tabindex of the ARIA practices). */

/** Controls of a memory. `text` is there for long texts only. */
export type Control = 'text' | 'pin' | 'importance' | 'delete'

/** Properties of a control. `stop`: the control of its memory that the Tab key reaches; null for none. */
export interface Roving {
  readonly stop: Control | null
  readonly focused: (control: Control) => void
}

export function rovingProps(control: Control, { stop, focused }: Roving) {
  return { 'data-control': control, tabindex: control === stop ? 0 : -1, onFocus: () => focused(control) }
}

/** Left and right lead to the other controls of a memory, up and down to the same one of another, Home and End to the first and last. */
export function moveInList(event: KeyboardEvent & { readonly currentTarget: Element }): void {
  const { target, currentTarget, key } = event
  if (!(target instanceof HTMLElement) || (target !== currentTarget && target.dataset['control'] === undefined)) return
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[data-memory]')]
  const row = rows.findIndex((candidate) => candidate.contains(target))
  const next = isSideways(key) ? besides(rows[row], target, key) : sameIn(rows[rowFor(key, row, rows.length)], target.dataset['control'])
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function isSideways(key: string): boolean {
  return key === 'ArrowLeft' || key === 'ArrowRight'
}

function controlsOf(row: HTMLElement | undefined): HTMLElement[] {
  return row === undefined ? [] : [...row.querySelectorAll<HTMLElement>('[data-control]')]
}

function besides(row: HTMLElement | undefined, target: HTMLElement, key: string): HTMLElement | undefined {
  const controls = controlsOf(row)
  return controls[controls.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)]
}

/** -1 for a key that leads nowhere. */
function rowFor(key: string, row: number, count: number): number {
  if (key === 'ArrowDown') return row + 1
  if (key === 'ArrowUp') return row - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : -1
}

function sameIn(row: HTMLElement | undefined, control: string | undefined): HTMLElement | undefined {
  const controls = controlsOf(row)
  return controls.find(({ dataset }) => dataset['control'] === control) ?? controls.find(({ dataset }) => dataset['control'] === 'pin')
}
