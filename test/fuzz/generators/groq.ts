import fc from 'fast-check'
import {queries} from '../../lake/query/queries.ts'
import {randomQuery} from '../../lake/query/randomQuery.ts'
import {oddName, weighted, wildText} from './text.ts'

/** Costs that depend on numbers alone. Those that grow with a query are in routes/queryBounds.system.test.ts. */
const huge = fc.constantFrom(
  '*[0..1000000000]',
  '*[-1000000000..1000000000]',
  'count(0..1000000000)',
  '1e308*10',
  '10**1000',
  'string(1e308)',
  '*[text match "*a*a*a*a*a*a*a*a*a*a*a*a*a*b"]',
  '*[count(*[count(*[n < ^.n && n < ^.^.n]) > 99]) > 99]',
  'count(*{"a":*{"b":*{"c":_id}}})',
  '*|score(text match "a*", boost(text match "b*", 1e308))',
  'geo::distance(geo::latLng(1,2),geo::latLng(1e308,-1e308))',
  'dateTime("9999-99-99T99:99:99Z")',
)

/** A GROQ query: any that the lake supports, one that clients really send, a costly one, or no GROQ at all. */
export const groq = fc.oneof(
  weighted(10, randomQuery),
  weighted(4, fc.constantFrom(...queries)),
  weighted(4, huge),
  weighted(
    2,
    fc
      .tuple(randomQuery, oddName, fc.constantFrom('', '.', '->', '[', '// ', '/*', ';', ' => '))
      .map(([query, name, between]) => `(${query})${between}${name}`),
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
