/**
 * Takes names and passwords out of the addresses in a text: Git repeats the whole address of a remote in its errors.
 */
export function withoutCredentials(text: string): string {
  // Up to the last @: a password may hold one.
  return text
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s]*@/gi, '$1***@')
    .replace(/([?&][^=\s&]+=)[^&\s'"]+/g, '$1***')
}

/** Leaves only the names of files of the absolute paths in a text: Git and the file system name whole paths in their errors. */
export function withoutPaths(text: string): string {
  return text
    .replace(/'(?:[A-Za-z]:)?[\\/][^'\n]*?([^'\\/\n]+)'/g, "'$1'")
    .replace(/(?<![\w:/\\.*-])(?:[A-Za-z]:)?[\\/](?:[^\s'"\\/:]+[\\/])+([^\s'"\\/:]*)/g, '$1')
}
