/** Minimum length of a password. NIST SP 800-63B recommends length instead of composition rules. */
const MIN_PASSWORD_LENGTH = 10

/** Maximum length: hashing a text takes longer than its length suggests. */
const MAX_PASSWORD_LENGTH = 1_000

/** What is wrong with a new password, as one sentence; undefined if it can be used. */
export function passwordProblem(
  password: string,
  {name, email}: {readonly name: string; readonly email: string},
): string | undefined {
  const {length} = Array.from(password)
  if (length < MIN_PASSWORD_LENGTH) return `A password needs at least ${MIN_PASSWORD_LENGTH} characters`
  if (length > MAX_PASSWORD_LENGTH) return `A password can have at most ${MAX_PASSWORD_LENGTH} characters`
  const typed = password.trim().toLowerCase()
  if (new Set(typed).size < 3 || [name, email].some((known) => known.toLowerCase() === typed))
    return 'This password is easy to guess: choose another one, such as four words that do not belong together'
  return undefined
}
