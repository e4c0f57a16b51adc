/** How tools and forms report their state. */
export type Report = {
  /** Why a tool of the config is missing, by its name. */
  problems: Map<string, string>
  /** Something that an agent sees has changed. */
  changed(what: string): void
}
