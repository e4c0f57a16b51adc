/** Of the lake of a soak: what is changed most has a file of its own. */
export const SOAK_FILES = {note: {filler: 'txt'}, memo: {text: 'md'}}
