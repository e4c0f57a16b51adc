/** A tool's name, its title, and what its name says of it. */
export type NameRow = [name: string, title: string, says: 'reads' | 'reads others' | 'acts' | 'nothing']
