import {nameOfLanguage} from '../../schemas/fields/texts.ts'

/** Languages of websites, each with its name. */
export const LANGUAGES: readonly (readonly [tag: string, name: string])[] =
  `af ar az be bg bn bs ca cs cy da de de-CH el en es et eu fa fi fil fr fr-CA ga gl gu he hi hr hu hy id is it ja ka kk km kn
  ko lb lo lt lv mk ml mn mr ms mt my nb ne nl nn pa pl ps pt pt-BR ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-Hant`
    .split(/\s+/)
    .map((tag) => [tag, nameOfLanguage(tag)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'))
