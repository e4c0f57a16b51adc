/**
 * An example that editors start a new document from. It holds the fields that differ from the schema's initial values.
 * Addresses and selectors in it are ones that no site has, so that advice knows what is still to be changed.
 */
export type Recipe<Fields> = {
  /** Unique among all recipes. */
  readonly id: string
  /** What the editor chooses, such as "Look something up". */
  readonly title: string
  readonly fields: Fields
}
