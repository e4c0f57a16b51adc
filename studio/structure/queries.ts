import {defineQuery} from 'groq'

/** A site's name, as its editors last left it. */
export const siteNameQuery = defineQuery(`*[_type == "site" && _id == $siteId][0].name`)
