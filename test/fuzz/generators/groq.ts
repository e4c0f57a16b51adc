import fc from 'fast-check'
import {queries} from '../../lake/query/queries.ts'
import {groqBomb} from './bombs.ts'
import {grammar} from './grammar.ts'
import {weighted, wildText} from './text.ts'

/** A GROQ query: from the grammar, one that clients really send, a costly one, or no GROQ at all. */
export const groq = fc.oneof(
  weighted(10, grammar),
  weighted(4, fc.constantFrom(...queries)),
  weighted(4, groqBomb),
  weighted(
    1,
    fc
      .tuple(grammar, fc.constantFrom('fn a::b($x) = $x{"c": *[n == ^.n]}; a::b(', '// ', '/*', ';'))
      .map(([body, start]) => `${start}${body})`),
  ),
  weighted(1, wildText),
)

/** A filter, as `patch` and `delete` take it, that selects few of the documents which matter here. */
export const narrowFilter = fc.constantFrom(
  '*[_id == "fuzz-1"]',
  '*[_type == "fuzz" && n > 2]',
  '*[_id in path("fuzz-*")]',
  '*[_type == "fuzz"][0..3]',
  '*[name match "x*" && _type == "fuzz"]',
)
