/** What tools and forms tell of themselves. */
export type Report = {
  /** Why a tool of the config is not there, by its name. */
  problems: Map<string, string>
  /** Something that an agent sees is different now. */
  changed(what: string): void
}
