const WORDS = (
  'account add address agent available basket book by cancel cart category change checkout colour contact customer ' +
  'date delivery detail discount each email fetch filter find first free from give hotel id in item latest list ' +
  'message more name number of offer open order page paid pay person price product quantity rating read refund ' +
  'result return review room save search selected send shop size stock store table the time to total update value ' +
  'view visitor voucher when with without year'
).split(' ')

/**
 * Generates text of this length that resembles prose, also to a compressor. The same seed produces the same
 * text.
 */
export function prose(length: number, seed: number): string {
  const random = randomOf(seed)
  let text = ''
  while (text.length < length) text += `${wordOf(random)} `
  return `${text.slice(0, Math.max(0, length - 1))}.`.slice(0, length)
}

/** Generates the body of an async function of about this length. */
export function script(length: number, seed: number): string {
  const random = randomOf(seed)
  const end = 'return results'
  const lines = ['const results = []']
  let rest = length - end.length - 20
  for (let line = codeLine(random); line.length < rest; line = codeLine(random)) {
    lines.push(line)
    rest -= line.length + 2
  }
  if (rest > 4) lines.push(`// ${prose(rest - 5, seed)}`)
  return [...lines, end].join('\n')
}

function codeLine(random: () => number): string {
  const [path, field, argument] = [wordOf(random), wordOf(random), wordOf(random)]
  return `results.push(await fetch('/api/${path}?${field}=' + args.${argument}).then((answer) => answer.json()))`
}

function wordOf(random: () => number): string {
  return WORDS[Math.floor(random() * WORDS.length)] ?? ''
}

/** https://en.wikipedia.org/wiki/Linear_congruential_generator, with the parameters of Numerical Recipes. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
