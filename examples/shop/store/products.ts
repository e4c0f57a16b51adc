/** A product in the shop. */
export type Product = {
  /** In its address: `/products/mooring-rope`. */
  readonly id: string
  readonly name: string
  readonly category: Category
  readonly description: string
  /** Facts in a few words each: what it is made of, what it measures. */
  readonly details: readonly string[]
  /** Euro cents. */
  readonly price: number
  /** `undefined` if there is only one size. */
  readonly sizes?: readonly string[]
  /** Stock when the shop starts. */
  readonly stock: number
}

/** A category's name in addresses, and its name for people. */
export const CATEGORIES = {
  deck: 'On deck',
  clothing: 'Clothing',
  navigation: 'Navigation',
  cabin: 'Cabin and galley',
} as const

export type Category = keyof typeof CATEGORIES

export const PRODUCTS: readonly Product[] = [
  {
    id: 'mooring-rope',
    name: 'Mooring Rope',
    category: 'deck',
    description:
      'A double-braided rope with a spliced eye at one end. It stretches a little when a wake comes in, stays supple in salt water, and floats long enough to be fetched back.',
    details: ['12 m, 14 mm thick', 'Polyester, breaking load 4,200 kg', 'Spliced eye of 30 cm'],
    price: 4800,
    stock: 24,
  },
  {
    id: 'harbour-fender',
    name: 'Harbour Fender',
    category: 'deck',
    description:
      'An inflatable fender that keeps the hull off the quay. Two eyes, so that it hangs upright or lies along the waterline. Comes with two metres of lanyard.',
    details: ['60 cm long, 20 cm thick', 'Soft PVC that leaves no marks', 'Needle valve, no pump included'],
    price: 3250,
    stock: 18,
  },
  {
    id: 'folding-anchor',
    name: 'Folding Anchor',
    category: 'deck',
    description:
      'A four-fluked anchor for dinghies and kayaks, folded to the size of a wine bottle. Holds well in sand and weed, and comes home in its own bag.',
    details: ['3.2 kg', 'Galvanised steel', 'For boats of up to 4 m'],
    price: 3900,
    stock: 9,
  },
  {
    id: 'ring-buoy',
    name: 'Ring Buoy',
    category: 'deck',
    description:
      'A lifebuoy to throw, in the colours that are seen from afar. Reflective bands, a grab line all around, and a shell that bears twenty summers of sun.',
    details: ['75 cm across, 2.5 kg', 'Carries 14.5 kg', 'Approved for harbours and quays'],
    price: 6400,
    stock: 6,
  },
  {
    id: 'oilskin-jacket',
    name: 'Oilskin Jacket',
    category: 'clothing',
    description:
      'A waterproof jacket of waxed cotton, cut long enough to sit on. Storm cuffs, two deep pockets, and a hood that turns with the head.',
    details: ['Waxed cotton, lined', 'Taped seams, brass snaps', 'Can be rewaxed'],
    price: 18900,
    sizes: ['S', 'M', 'L', 'XL'],
    stock: 11,
  },
  {
    id: 'deck-boots',
    name: 'Deck Boots',
    category: 'clothing',
    description:
      'Waterproof boots of natural rubber with a sole that grips a wet deck and leaves no marks on it. Wide enough for a pair of woollen socks.',
    details: ['Natural rubber', 'Cotton lining', '32 cm high'],
    price: 9400,
    sizes: ['38', '39', '40', '41', '42', '43', '44', '45'],
    stock: 16,
  },
  {
    id: 'wool-jumper',
    name: 'Fisherman’s Jumper',
    category: 'clothing',
    description:
      'A tight knit of undyed wool that keeps the wind out and stays warm when it is wet. No seams under the arms, so that nothing rubs on a long watch.',
    details: ['Pure new wool', 'Knitted in one piece', 'Washes at 30 °C'],
    price: 11900,
    sizes: ['S', 'M', 'L', 'XL'],
    stock: 13,
  },
  {
    id: 'watch-cap',
    name: 'Watch Cap',
    category: 'clothing',
    description: 'A ribbed woollen cap to pull over the ears. Fits under a hood, and under a helmet.',
    details: ['Merino wool', 'One size'],
    price: 2400,
    stock: 40,
  },
  {
    id: 'hand-compass',
    name: 'Hand Bearing Compass',
    category: 'navigation',
    description:
      'Held at eye level, it reads a bearing to half a degree. The card floats in oil and settles in two seconds; a ring that glows serves through the night.',
    details: ['8 cm across, 210 g', 'Rubber casing, floats', 'With lanyard'],
    price: 7900,
    stock: 8,
  },
  {
    id: 'binoculars',
    name: 'Binoculars 7 × 50',
    category: 'navigation',
    description:
      'The marine classic: seven times, because more shakes, and wide lenses for the dusk. Filled with nitrogen, waterproof, and buoyant in its orange strap.',
    details: ['7 × 50, 860 g', 'Coated glass', 'Waterproof to 1 m'],
    price: 14900,
    stock: 0,
  },
  {
    id: 'storm-lantern',
    name: 'Storm Lantern',
    category: 'cabin',
    description:
      'A paraffin lantern that no wind puts out. Burns for twenty hours on one filling and hangs from a hook or from the boom.',
    details: ['27 cm high', 'Galvanised steel and glass', 'Paraffin not included'],
    price: 4200,
    stock: 14,
  },
  {
    id: 'enamel-mug',
    name: 'Enamel Mug',
    category: 'cabin',
    description:
      'Holds a proper cup of tea, survives a fall from the companionway, and may stand on the stove.',
    details: ['0.4 l', 'Steel, enamelled twice', 'Safe in a dishwasher'],
    price: 1450,
    stock: 60,
  },
]
