import type {Random} from '../../soak/random.ts'
import type {ContentDocument} from '../../support/content.ts'
import {formToolDocument, toolDocument} from '../../support/shop.ts'

/** Pages of the site, all of one document. */
export const paths = ['/', '/a', '/b'] as const

/** Ids of the forms that the page has. */
export const forms = ['first', 'second'] as const

const patterns = ['/**', '/', '/a', '/{a,b}']

/** An editor who changes a site's tools at random, one publish at a time. */
export class Editor {
  readonly #random: Random
  readonly #documents = new Map<string, ContentDocument>()
  #revision = 0

  constructor(random: Random) {
    this.#random = random
    this.rest()
  }

  /** Restores the initial state, except for revisions. Returns all documents. */
  rest(): ContentDocument[] {
    for (let index = 0; index < 8; index++) {
      const fields = {_id: `tool-${index}`, name: `name-${index}`, ...this.#script(), ...this.#words()}
      this.#documents.set(fields._id, toolDocument(fields))
    }
    for (const form of forms) {
      const fields = {_id: `form-${form}`, name: `form-${form}`, pagePath: '/**', selector: `#${form}`}
      this.#documents.set(fields._id, formToolDocument({...fields, ...this.#words()}))
    }
    return [...this.#documents.values(), this.#edition()]
  }

  /** Changes some documents, and one that is on every page. Returns those. */
  work(): ContentDocument[] {
    const changed = new Map<string, ContentDocument>()
    for (const document of this.#random.some([...this.#documents.values()], this.#random.between(1, 4)))
      for (const one of this.#change(changed.get(document._id) ?? document)) changed.set(one._id, one)
    for (const [id, document] of changed) this.#documents.set(id, document)
    return [...changed.values(), this.#edition()]
  }

  #change(document: ContentDocument): ContentDocument[] {
    const random = this.#random
    if (document._type === 'formTool') {
      const fields = [{enabled: random.chance(0.7)}, this.#words(), {autosubmit: random.chance(0.5)}]
      return [{...document, ...random.pick(fields)}]
    }
    if (random.chance(0.2)) {
      // Two tools exchange their names.
      const others = [...this.#documents.values()].filter(({_type}) => _type === 'tool')
      const other = random.pick(others)
      return [
        {...document, name: other.name},
        {...other, name: document.name},
      ]
    }
    const fields = [
      {enabled: random.chance(0.7)},
      {pathPattern: random.pick(patterns)},
      {exposedTo: random.some(['https://one.example', 'https://two.example'], random.between(0, 2))},
      {inputSchema: JSON.stringify({type: 'object', properties: {[`p${++this.#revision}`]: {}}})},
      this.#words(),
      this.#script(),
      this.#script(),
    ]
    return [{...document, ...random.pick(fields)}]
  }

  #words(): {description: string} {
    return {description: `Description ${++this.#revision}.`}
  }

  #script(): {executeJs: string} {
    return {executeJs: `return "script ${++this.#revision}"`}
  }

  /** A tool that is another one after each publish, so that every page sees that something was published. */
  #edition(): ContentDocument {
    return toolDocument({_id: 'edition', name: 'edition', ...this.#script(), ...this.#words()})
  }
}
