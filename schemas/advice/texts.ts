import {wordsOf} from '../rules/names/words.ts'
import {type Advice, advise} from './advice.ts'

/** Lengths in characters that Chrome recommends. */
export const LONGEST_NAME = 30
export const LONGEST_DESCRIPTION = 500
export const LONGEST_PARAMETER_DESCRIPTION = 150

/** Advice on a tool's name. */
export function adviseName(name: string): Advice[] {
  if (name.length <= LONGEST_NAME) return []
  return [
    advise(
      'NAME_LONG',
      'name',
      `The name has ${name.length} characters. Agents handle names of up to ${LONGEST_NAME} characters best: shorten it.`,
    ),
  ]
}

/** Advice on a tool's description. */
export function adviseDescription(name: string, description: string): Advice[] {
  const advice: Advice[] = []
  if (description.length > LONGEST_DESCRIPTION) {
    advice.push(
      advise(
        'DESCRIPTION_LONG',
        'description',
        `The description has ${description.length} characters. Agents may cut it off after ${LONGEST_DESCRIPTION}: keep the most important part.`,
      ),
    )
  }
  if (repeatsName(name, description)) {
    advice.push(
      advise(
        'DESCRIPTION_REPEATS_NAME',
        'description',
        'The description says no more than the name. Say what the tool does, when to use it, and what it returns.',
      ),
    )
  }
  return [...advice, ...adviseProse(description, 'description', 'The description')]
}

/**
 * Advice on any text that an agent reads.
 * @param what the subject of the messages, at the start of a sentence
 */
export function adviseProse(text: string, field: string, what: string): Advice[] {
  const advice: Advice[] = []
  const instruction = INSTRUCTION.exec(text)
  if (instruction !== null) {
    advice.push(
      advise(
        'DESCRIPTION_INSTRUCTS_MODEL',
        field,
        `${what} gives orders to the model (“${instruction[0]}”). Agents distrust such tools: describe the tool instead.`,
        instruction.index,
      ),
    )
  }
  const invisible = INVISIBLE.exec(text)
  if (invisible !== null) {
    const point = (invisible[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    advice.push(
      advise(
        'DESCRIPTION_INVISIBLE_CHARACTERS',
        field,
        `${what} contains the invisible character U+${point}. Agents distrust hidden text: delete it and type the words around it again.`,
        invisible.index,
      ),
    )
  }
  return advice
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

/**
 * Control and format characters, such as zero-width spaces and tag characters. Joiners stay: emoji and some
 * scripts need them.
 */
const INVISIBLE = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/u

/** Words that add nothing to a name. */
const FILLERS = new Set('a an the this is it to of and for all your our tool function'.split(' '))

function repeatsName(name: string, description: string): boolean {
  const inName = new Set(wordsOf(name).map(stem))
  const words = (description.match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase())
  const telling = words.filter((word) => !FILLERS.has(word))
  return telling.length === 0 || (telling.length <= 6 && telling.every((word) => inName.has(stem(word))))
}

/** A rough stem, by which “searches”, “search” and “searching” are one word. */
function stem(word: string): string {
  return word.toLowerCase().replace(/(?:ing|ed|e?s|e)$/, '')
}
