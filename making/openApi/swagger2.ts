import {type Fields, isRecord} from '../../schemas/record.ts'
import {scalarText} from '../../schemas/rules/text.ts'
import type {OperationPlace} from './operation.ts'
import type {References} from './references.ts'

/** How lists are sent: Swagger 2 joins them with commas, unless it says otherwise. */
const STYLES: Readonly<Record<string, Fields>> = {
  csv: {explode: false},
  multi: {explode: true},
  ssv: {style: 'spaceDelimited'},
  tsv: {style: 'tabDelimited'},
  pipes: {style: 'pipeDelimited'},
}

/** The address that Swagger 2 has in parts, as OpenAPI 3 has it. */
export function serversOf({host, basePath, schemes}: Fields): readonly Fields[] {
  const path = typeof basePath === 'string' ? basePath : ''
  if (typeof host !== 'string') return [{url: path}]
  const scheme = Array.isArray(schemes) && !schemes.includes('https') ? 'http' : 'https'
  return [{url: `${scheme}://${host}${path}`}]
}

/**
 * An operation of Swagger 2 (https://swagger.io/specification/v2/), as OpenAPI 3 writes it.
 * @throws TooLargeError
 */
export function fromSwagger2(
  place: OperationPlace,
  document: Fields,
  references: References,
): OperationPlace {
  const {operation, shared} = place
  const parameters = [shared, operation.parameters]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((one) => references.resolve(one) ?? {})
  const consumes = typesIn(operation.consumes ?? document.consumes)
  const produces = typesIn(operation.produces ?? document.produces)
  const fields = parameters.filter((one) => one.in === 'formData')
  const body = parameters.find((one) => one.in === 'body')
  const form = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [scalarText(field.name), field.type === 'file' ? FILE : field]),
    ),
    required: fields.filter(({required}) => required === true).map(({name}) => name),
  }
  const formType = fields.some(({type}) => type === 'file')
    ? 'multipart/form-data'
    : 'application/x-www-form-urlencoded'
  const content = body ? contentOf(consumes, body.schema) : fields.length > 0 && contentOf([formType], form)
  const responses = Object.entries(isRecord(operation.responses) ? operation.responses : {})
  return {
    ...place,
    shared: undefined,
    operation: {
      ...operation,
      parameters: parameters
        .filter((one) => one.in !== 'formData' && one.in !== 'body')
        .map((one) => ({...one, schema: one, ...STYLES[scalarText(one.collectionFormat ?? 'csv')]})),
      ...(content && {requestBody: {content}}),
      responses: Object.fromEntries(
        responses.map(([status, response]) => {
          const {schema} = references.resolve(response) ?? {}
          const isFile = isRecord(schema) && schema.type === 'file'
          const types =
            isFile && produces.every((type) => /json/.test(type)) ? ['application/octet-stream'] : produces
          return [status, schema === undefined ? {} : {content: contentOf(types, schema)}]
        }),
      ),
    },
  }
}

const FILE = {type: 'string', format: 'binary'}

function typesIn(value: unknown): string[] {
  const types = Array.isArray(value) ? value.filter((type) => typeof type === 'string') : []
  return types.length === 0 ? ['application/json'] : types
}

function contentOf(types: readonly string[], schema: unknown): Fields {
  return Object.fromEntries(types.map((type) => [type, {schema}]))
}
