type Method = (...args: never[]) => unknown

/** The names of some methods of an object, in the order in which they are called from now on. */
export function calledOf<Name extends string>(object: Record<Name, Method>, names: readonly Name[]): Name[] {
  const called: Name[] = []
  for (const name of names) {
    const method: Method = object[name].bind(object)
    object[name] = (...args) => {
      called.push(name)
      return method(...args)
    }
  }
  return called
}
