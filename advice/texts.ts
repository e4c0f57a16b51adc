import {showCharacter} from '../schemas/rules/text.ts'
import {type Advice, type AdviceCode, advise, type Place} from './advice.ts'

/** Lengths in characters that Chrome recommends. */
export const LONGEST_NAME = 30
const LONGEST_DESCRIPTION = 500
const LONGEST_PARAMETER_DESCRIPTION = 150

/** Many models accept names of at most so many characters. */
const LONGEST_NAME_OF_MODELS = 64

/** What Playwright MCP 0.0.83 puts before the name of a tool. */
const AGENT_PREFIX = 'webmcp_'

const LONGEST_NAME_FOR_AGENTS = LONGEST_NAME_OF_MODELS - AGENT_PREFIX.length

/**
 * Advice on a tool's name.
 * @param twin a tool of the site with a similar name
 */
export function adviseName(name: string, twin?: {readonly name: string}): Advice[] {
  const advice: Advice[] = []
  if (name.length > LONGEST_NAME_FOR_AGENTS) {
    const message = `The name has ${name.length} characters, and agents put more before it: many models then refuse it. Use at most ${LONGEST_NAME_FOR_AGENTS}.`
    advice.push(advise('NAME_TOO_LONG_FOR_AGENTS', 'name', message))
  } else if (name.length > LONGEST_NAME) {
    const message = `The name has ${name.length} characters. Agents handle names of up to ${LONGEST_NAME} characters best: shorten it.`
    advice.push(advise('NAME_LONG', 'name', message))
  }
  if (name.includes('.')) {
    const message = `Some agents call it “${name.replaceAll('.', '_')}”, because models do not accept dots. Write “_” or upper case letters instead of dots.`
    advice.push(advise('NAME_WITH_DOT', 'name', message))
  }
  if (twin !== undefined) {
    const message = `The site has a tool “${twin.name}”, and agents mistake “${name}” for it: choose a name that differs in its words.`
    advice.push(advise('NAME_SIMILAR', 'name', message))
  }
  return advice
}

/** Advice on a tool's description. */
export function adviseDescription(description: string): Advice[] {
  const advice: Advice[] = []
  if (description.length > LONGEST_DESCRIPTION) {
    const message = `The description has ${description.length} characters. Agents may cut it off after ${LONGEST_DESCRIPTION}: keep the most important part.`
    advice.push(advise('DESCRIPTION_LONG', 'description', message))
  }
  if (isShort(description)) {
    const message = `Agents choose a tool by its description, and this one is very short. Say what the tool does, when to use it, and what it returns.`
    advice.push(advise('DESCRIPTION_SHORT', 'description', message))
  }
  return [...advice, ...adviseProse(description, 'description', 'The description')]
}

/** Fewer than four words. Languages without spaces between words are left out. */
function isShort(description: string): boolean {
  return !/\p{Lo}/u.test(description) && (description.match(/\p{L}+/gu) ?? []).length < 4
}

/** Advice on the description of a parameter, or of a field of a form. */
export function adviseParameterDescription(
  name: string,
  description: string,
  field: string,
  place: Place = {},
): Advice[] {
  const prose = adviseProse(description, field, `The description of “${name}”`, place)
  if (description.length <= LONGEST_PARAMETER_DESCRIPTION) return prose
  const message = `The description of “${name}” has ${description.length} characters. Agents may cut it off after ${LONGEST_PARAMETER_DESCRIPTION}: keep the most important part.`
  return [advise('PARAMETER_DESCRIPTION_LONG', field, message, place), ...prose]
}

/**
 * Advice on any text that an agent reads.
 * @param what the subject of the messages, at the start of a sentence
 */
export function adviseProse(text: string, field: string, what: string, place: Place = {}): Advice[] {
  return REMARKS.flatMap(({code, expression, message}) => {
    const found = expression.exec(text)
    if (found === null) return []
    const where = place.path === undefined ? {offset: found.index} : place
    return [advise(code, field, `${what} ${message(found[0])}`, where)]
  })
}

type Remark = {
  readonly code: AdviceCode
  readonly expression: RegExp
  /** The rest of the sentence, for what the expression found. */
  readonly message: (found: string) => string
}

/** Phrases that address the model instead of describing the tool. */
const INSTRUCTION = new RegExp(
  [
    String.raw`\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+)?(?:previous|prior|earlier|above|other|your)\b[^.\n]{0,30}`,
    String.raw`\b(?:you|the (?:model|assistant|agent|ai))\s+(?:must|should|have to|are required to|will)\s+(?:always|never|first|only|not)\b`,
    String.raw`\balways\s+(?:call|use|choose|prefer)\s+this\s+tool\b`,
    String.raw`\b(?:do not|don[’']t|never)\s+(?:tell|inform|ask|mention|show)\s+(?:it\s+|this\s+)?(?:to\s+)?the\s+(?:user|visitor|customer)\b`,
    String.raw`\bsystem\s+prompt\b`,
    String.raw`\b(?:send|reveal|include|enter|provide)\s+(?:the\s+|your\s+|their\s+)?(?:user[’']?s?\s+|visitor[’']?s?\s+)?(?:passwords?|credentials|api keys?|credit card)\b`,
  ].join('|'),
  'i',
)

const REMARKS: readonly Remark[] = [
  {
    code: 'DESCRIPTION_INSTRUCTS_MODEL',
    expression: INSTRUCTION,
    message: (found) =>
      `gives orders to the model (“${found}”). Agents distrust such tools: describe the tool instead.`,
  },
  {
    code: 'DESCRIPTION_INVISIBLE_CHARACTERS',
    // Control and format characters, such as zero-width spaces and tag characters. Joiners stay: emoji and some
    // scripts need them.
    expression: /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/u,
    message: (found) =>
      `contains ${showCharacter(found)}. Agents distrust hidden text: delete it and type the words around it again.`,
  },
  {
    code: 'DESCRIPTION_MARKUP',
    expression:
      /<\/?(?:a|b|br|div|em|h[1-6]|i|img|li|ol|p|script|span|strong|u|ul)\b[^<>]*>|&(?:amp|lt|gt|quot|nbsp|#\d+);/i,
    message: (found) => `contains HTML (“${found}”), which agents read as it is: write plain text.`,
  },
  {
    code: 'DESCRIPTION_PLACEHOLDER',
    // “todo” in small letters is a word of tools for lists.
    expression:
      /\b(?:TODO|TBD|FIXME)\b|\b[Ll]orem ipsum\b|\[(?:your|insert|describe)\b[^\]]*\]|^(?:[Aa]sdf\w*|[Tt]est|[Dd]escription|[Tt]ext|[Ff]oo|[Bb]ar)\W*$/,
    message: (found) => `still has a placeholder (“${found.trim()}”): write the text itself.`,
  },
]
