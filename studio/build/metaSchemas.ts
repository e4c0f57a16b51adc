import {Ajv} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'

/**
 * The modules that `schemas/rules/inputSchema.ts` imports for each dialect of JSON Schema, and their
 * replacements.
 */
const dialects: Record<string, () => string> = {
  ajv: () => precompiled('Ajv', Ajv, 'http://json-schema.org/draft-07/schema'),
  'ajv/dist/2020.js': () => precompiled('Ajv2020', Ajv2020, 'https://json-schema.org/draft/2020-12/schema'),
}
const PREFIX = '\0precompiled:'

/**
 * Ajv compiles schemas with `eval`, which Studio's policy forbids. Studio checks schemas with code that Ajv
 * generated when Studio was built.
 */
export function precompiledMetaSchemas() {
  return {
    name: 'precompiled-meta-schemas',
    enforce: 'pre' as const,
    resolveId: (id: string, importer: string | undefined) =>
      id in dialects && importer?.endsWith('/schemas/rules/inputSchema.ts') ? PREFIX + id : undefined,
    load: (id: string) => (id.startsWith(PREFIX) ? dialects[id.slice(PREFIX.length)]?.() : undefined),
  }
}

/** A module with a class of Ajv's name that can only validate schemas. */
function precompiled(name: string, Dialect: typeof Ajv | typeof Ajv2020, metaSchema: string): string {
  const ajv = new Dialect({validateFormats: false, code: {source: true, esm: true}})
  const validate = ajv.getSchema(metaSchema)
  if (validate === undefined) throw new Error(`Ajv has no ${metaSchema}`)
  // Ajv generates one `require` even in a module.
  const code = standalone
    .default(ajv, validate)
    .replaceAll('require("ajv/dist/runtime/equal").default', 'fastDeepEqual')
    .replace(/export default \w+;/, '')
  return `import fastDeepEqual from 'fast-deep-equal'
${code}
export class ${name} {
  errors = null
  validateSchema(schema) {
    const valid = validate(schema)
    this.errors = validate.errors
    return valid
  }
}
`
}
