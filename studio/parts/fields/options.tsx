/** The options of a list to choose from, by value and title. */
export function Options({of}: {of: readonly (readonly [value: string, title: string])[]}) {
  return of.map(([value, title]) => (
    <option key={value} value={value}>
      {title}
    </option>
  ))
}

/** What a text field suggests that has this as its `list`. */
export function Suggestions({id, of}: {id: string; of: readonly string[]}) {
  return (
    <datalist id={id}>
      {of.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
