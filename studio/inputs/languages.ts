const NAMES = new Intl.DisplayNames('en', {type: 'language'})

/** A language in words, such as “German” for `de`. */
export function nameOfLanguage(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Frequent languages of websites, each with its name. */
export const LANGUAGES: readonly (readonly [tag: string, name: string])[] =
  'ar bg ca zh hr cs da nl en et fi fr de el he hi hu id it ja ko lv lt nb pl pt pt-BR ro ru sr sk sl es sv th tr uk vi'
    .split(' ')
    .map((tag) => [tag, nameOfLanguage(tag)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'))
