/**
 * A working example that editors start a new document from. It holds the fields that differ from the schema's initial
 * values. It works on the demo shop, and says in its first line what to change for another site.
 */
export type Recipe<Fields> = {
  /** Unique among all recipes. */
  readonly id: string
  /** What the editor chooses, such as "Look something up". */
  readonly title: string
  readonly fields: Fields
}
