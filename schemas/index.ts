import {formTool} from './formTool.ts'
import {site} from './site.ts'
import {tool} from './tool.ts'

/** Every document type, for Studio and for the extraction of the schema. */
export const schemaTypes = [site, tool, formTool]
