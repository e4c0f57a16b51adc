import type {DraftTool, PreviewStage} from './previewStage.ts'

/** A tool of a config. */
export type ConfigTool = {id: string; name: string; executeJs: string; [member: string]: unknown}

export function configTool(fields: Partial<ConfigTool> = {}): ConfigTool {
  return {
    id: '6f2cbe0e-4b39-4f5c-9f0e-000000000001',
    name: 'findBargains',
    title: 'Find Bargains',
    description: 'Finds products of the shop up to a price.',
    inputSchema: {type: 'object', properties: {query: {type: 'string'}}, required: ['query']},
    executeJs: 'return {found: args.query}',
    ...fields,
  }
}

/** What the service says about a tool. */
export function aboutTool(fields: Partial<DraftTool> = {}): DraftTool {
  return {
    id: 'bargains',
    type: 'tool',
    name: 'findBargains',
    state: 'changed',
    isOffered: true,
    title: 'Offered',
    reasons: [],
    advice: [],
    ...fields,
  }
}

/** Sets the drafts of a stage to tools that the page offers. */
export function offer(stage: PreviewStage, ...tools: ConfigTool[]): void {
  stage.refusal = undefined
  stage.drafts = {
    tools,
    formTools: [],
    about: tools.map(({name}) => aboutTool({name})),
    reasons: [],
  }
}
