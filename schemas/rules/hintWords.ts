/**
 * The vocabulary of `inferHints.ts`, in lower case.
 * Edit it when a name is read wrongly, and add that name to the table in test/schemas/rules/names/.
 */

type Words = ReadonlySet<string>

/** Verbs, and the words that make a difference directly after one of them. */
export type Pairs = readonly {verbs: Words; objects: Words}[]

/** Words that, leading a name, say that the tool only looks: `searchProducts`, `get_order`, `orders.list`. */
export const READ_VERBS = words(`
  browse calculate check compare compute count describe display estimate explain explore fetch filter find get
  inspect list locate lookup preview query read retrieve search see show summarise summarize view
`)

/** Questions with yes or no for an answer. They only look, and their answers quote nobody: `isInStock`. */
export const PREDICATES = words('are can does had has have is was were')

/** Two words that only look: `lookUpAddress`, `trackOrder`. */
export const READ_PAIRS: Pairs = [
  pair('look', 'at for up'),
  pair('track', 'delivery order orders package packages parcel parcels shipment shipments'),
]

/** A read verb that does more than look in this company: ticking off, arriving, offering for sale, replacing. */
export const NOT_READING: Pairs = [
  pair('check', 'all box in item items mark off task tasks todo todos'),
  pair('get', 'in notified rid started'),
  pair('list', 'for item'),
  pair(
    'check count display estimate filter find list lookup preview query search show view',
    `add append apply assign bar box builder button cancel clear close create delete disable edit enable hide insert
     merge move remove rename replace reset save submit swap switch sync toggle update upload upsert write`,
  ),
]

/** Verbs of buying and of what cannot be undone: `buyNow`, `deleteAccount`, `sendMessage`. */
export const CONSEQUENTIAL_VERBS = words(`
  bet bid book buy cancel charge checkout delete deposit destroy donate erase hire lease order pay preorder publish
  purchase purge redeem refund remit renew rent reserve revoke sell send submit subscribe terminate trade transfer
  unsubscribe wipe withdraw
`)

/** A verb and an object that are consequential together only: `placeOrder`, but not `placePin`. */
export const CONSEQUENTIAL_PAIRS: Pairs = [
  pair(
    `accept approve authorise authorize commit complete confirm create finalise finalize make place process schedule`,
    `appointment appointments bet bets bid bids booking bookings deposit donation donations offer offers order orders
     payment payments preorder purchase purchases reservation reservations subscription subscriptions trade trades
     transaction transactions transfer transfers withdrawal`,
  ),
  pair('complete confirm finalise finalize', 'cancellation checkout'),
  pair('issue request', 'refund refunds'),
  pair('return', 'item items order orders product products purchase purchases'),
  pair('close deactivate', 'account accounts'),
  pair('downgrade upgrade', 'membership plan subscription'),
  pair('leave post write', 'answer comment comments listing message messages question reply review reviews'),
  pair('sign', 'agreement contract document'),
  pair('file', 'claim complaint'),
  pair('apply', 'for'),
  pair('reply', 'to'),
]

/** What sounds consequential and is not: sorting, a subject of its own, a search form, a dialog. */
export const NOT_CONSEQUENTIAL: Pairs = [
  pair('order', 'by invoice invoices'),
  pair('purchase', 'invoice invoices order orders'),
  pair('transfer', 'fee fees'),
  pair('checkout', 'session'),
  pair('redeem', 'code coupon coupons'),
  pair('submit', 'button filter filters query search'),
  pair('cancel', 'dialog edit editing filter policy reason reasons search selection upload'),
  pair(
    'pay',
    `band calculator date dates day details grade history info link load method methods options page pal period
     periods rate rates rise roll scale slip slips status stub stubs summary`,
  ),
]

/** Verbs that are nouns, too, and name what a tool is about when one of `ABOUT` follows: `orderHistory`. */
export const ALSO_NOUNS = words(
  'bet bid book charge checkout deposit lease order purchase refund rent reserve sell trade transfer',
)

/** Nouns that make the word before them a subject: `bookDetails`, `transferStatus`, `purchase_list`. */
export const ABOUT = words(`
  address archive author authors calculator catalog catalogue categories category chapter chapters club code
  confirmation cost costs count cover date dates detail details flow form format genre guide help history id ids info
  information isbn label limit limits line lines link list lists log mark marks method methods name names note notes
  number numbers option options overview page pages period policies policy portal preview price prices process
  progress rate rates reason reasons receipt receipts record records report reports request requests result results
  review reviews rule rules schedule screen search settings shelf shop status step steps store stores summary terms
  time times title titles total totals tracker tracking type types url view volume window
`)

/** What visitors write. A tool that reads it hands an agent text that anybody may have put there. */
export const WRITTEN_BY_OTHERS = words(`
  answer answers chat chats comment comments conversation conversations discussion discussions email emails feedback
  forum forums guestbook inbox mail mailbox mails message messages opinion opinions post posts question questions
  rating ratings replies reply review reviews testimonial testimonials thread threads tweet tweets
`)

/** Directly after such a word, these leave a number, a rule or a place instead of what was written: `getPostCode`. */
export const NOT_WRITING = words(`
  address addresses box code codes count counts form format guidelines id ids limit limits link number numbers office
  offices policy rules settings status template templates total totals type types url
`)

/** Between a verb and its object, these change nothing: `place_an_order`, `cancelMyOrder`. */
export const DETERMINERS = words('a all an another any her his its my new next one our the their this your')

/** Several deeds in one name. Each has to be looked at: `checkAndBook` books. */
export const CONJUNCTIONS = words('and or then')

function words(text: string): Words {
  return new Set(text.trim().split(/\s+/))
}

function pair(verbs: string, objects: string): Pairs[number] {
  return {verbs: words(verbs), objects: words(objects)}
}
