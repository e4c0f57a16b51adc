/** The address of a one-time link. */
export function linkTo(origin: string, code: string): string {
  return `${origin}/login?code=${code}`
}
