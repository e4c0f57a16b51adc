import {element} from './element.js'

/**
 * @typedef {object} Schema what the panel reads of a JSON Schema
 * @property {string} [type]
 * @property {string} [title]
 * @property {string} [description]
 * @property {string} [format]
 * @property {unknown[]} [enum]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * A labelled field for each argument of a tool.
 * @param {Schema | undefined} schema the tool's `inputSchema`
 * @param {string} prefix of the fields' ids, unique in the page
 * @returns {{parts: HTMLElement[], check: () => boolean, read: () => Record<string, unknown>}} `check` shows the
 *   browser's message at the first invalid field. `read` returns the values that were filled in, and leaves out
 *   the others. It throws if a text is not JSON.
 */
export function fieldsFor(schema, prefix) {
  const entries = Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const id = `${prefix}-${name}`
    const required = schema?.required?.includes(name) ?? false
    const field = fieldFor(property, {id, required})
    const label = element('label', {for: id}, name, required ? '' : element('small', {}, ' optional'))
    const {description = property.title} = property
    if (!description) return {name, property, field, part: element('p', {}, label, field)}
    const hint = element('small', {id: `${id}-hint`, class: 'hint'}, description)
    field.setAttribute('aria-describedby', hint.id)
    return {name, property, field, part: element('p', {}, label, field, hint)}
  })
  return {
    parts: entries.map(({part}) => part),
    check: () => entries.every(({field}) => field.reportValidity()),
    read: () =>
      Object.fromEntries(
        entries
          .filter(({field}) => field.value !== '')
          .map(({name, property, field}) => [name, parsed(name, property, field.value)]),
      ),
  }
}

/**
 * @param {Schema} property
 * @param {{id: string, required: boolean}} attributes
 * @returns {Field}
 */
function fieldFor({type, format, enum: choices, minimum, maximum, minLength, maxLength}, attributes) {
  if (choices) return choice(choices.map(String), attributes)
  if (type === 'boolean') return choice(['true', 'false'], attributes)
  if (type === 'integer' || type === 'number') {
    const step = type === 'integer' ? 1 : 'any'
    return element('input', {...attributes, type: 'number', min: minimum, max: maximum, step})
  }
  if (type === 'array' || type === 'object') {
    return element('textarea', {...attributes, rows: 3, placeholder: type === 'array' ? '[]' : '{}'})
  }
  return element('input', {
    ...attributes,
    type: format === 'email' ? 'email' : 'text',
    minlength: minLength,
    maxlength: maxLength,
  })
}

/**
 * @param {string[]} values
 * @param {{id: string, required: boolean}} attributes
 */
function choice(values, attributes) {
  const options = values.filter(Boolean).map((value) => element('option', {value}, value))
  return element('select', attributes, element('option', {value: ''}, '—'), ...options)
}

/**
 * @param {string} name
 * @param {Schema} property
 * @param {string} text
 */
function parsed(name, {type, enum: choices}, text) {
  const chosen = choices?.find((one) => String(one) === text)
  if (chosen !== undefined) return chosen
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true'
  if (type !== 'array' && type !== 'object') return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`"${name}" is not JSON.`)
  }
}
