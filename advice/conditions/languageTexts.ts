import {nameOfLanguage, parseLanguageTexts} from '../../schemas/rules/conditions/languageTexts.ts'
import {type Advice, advise} from '../advice.ts'
import {adviseProse} from '../texts.ts'

/**
 * Advice on the texts of a tool in other languages.
 * @param described the parameters that have a description in the tool's own language
 * @param known all parameters; undefined if others exist, such as fields of a form that are not described
 */
export function adviseLanguageTexts(
  value: unknown,
  described: readonly string[],
  known: readonly string[] | undefined,
): Advice[] {
  const parsed = parseLanguageTexts(value)
  if (!parsed.ok) return []
  return parsed.value.flatMap(({language, title = '', description, parameters = []}) => {
    const name = nameOfLanguage(language)
    const names = parameters.map((one) => one.name)
    const missing = [
      ...(description === undefined ? ['the description'] : []),
      ...described.filter((one) => !names.includes(one)).map((one) => `“${one}”`),
    ]
    const unknown = names.find((one) => known !== undefined && !known.includes(one))
    const lack = `The texts in ${name} lack ${missing.join(', ')}: agents read these in the tool’s own language. Write them, too.`
    const surplus = `The tool has no parameter “${unknown}”, which the texts in ${name} describe: remove it, or correct its name.`
    return [
      ...(missing.length > 0 ? [advise('LANGUAGE_INCOMPLETE', 'texts', lack)] : []),
      ...(unknown === undefined ? [] : [advise('LANGUAGE_PARAMETER_UNKNOWN', 'texts', surplus)]),
      ...adviseProse(title, 'texts', `The title in ${name}`),
      ...adviseProse(description ?? '', 'texts', `The description in ${name}`),
      ...parameters.flatMap((one) =>
        adviseProse(one.description, 'texts', `The description of “${one.name}” in ${name}`),
      ),
    ]
  })
}
