import {defineQuery} from 'groq'

/** A site's name, including changes in its draft. */
export const siteNameQuery = defineQuery(`*[_type == "site" && _id == $siteId][0].name`)
