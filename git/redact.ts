/**
 * Removes names and passwords from the URLs in a text: Git repeats the full URL of a remote in its errors.
 */
export function withoutCredentials(text: string): string {
  // Up to the last @, because a password may contain one.
  return text
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s]*@/gi, '$1***@')
    .replace(/([?&][^=\s&]+=)[^&\s'"]+/g, '$1***')
}

/**
 * Shortens the absolute paths in a text to their file names: errors of Git and the file system contain full
 * paths.
 */
export function withoutPaths(text: string): string {
  return text
    .replace(/'(?:[A-Za-z]:)?[\\/][^'\n]*?([^'\\/\n]+)'/g, "'$1'")
    .replace(/(?<![\w:/\\.*-])(?:[A-Za-z]:)?[\\/](?:[^\s'"\\/:]+[\\/])+([^\s'"\\/:]*)/g, '$1')
}
