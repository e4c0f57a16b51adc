/** A tool's name, its title, and the hints inferred from the name. */
export type NameRow = [name: string, title: string, says: 'reads' | 'reads others' | 'acts' | 'nothing']
