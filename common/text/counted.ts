/** Such as `3,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

/** Such as `1 document` and `3,000 documents`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}
