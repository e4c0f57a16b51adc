/** The words of a text: a list that takes few lines. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
