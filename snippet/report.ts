/** Why a tool of the config is missing, by its name. */
export type Problems = Map<string, string>

/** Called when something that an agent sees has changed. */
export type Changed = (what: string) => void
