import {words} from '../../../support/words.ts'

/** Names of tools that only read. */
export const READING = words(`
  searchProducts findStores getProduct getURLInfo listProducts showSizes viewCart view_cart
  checkAvailability checkStock check_stock check-stock lookupOrder lookUpOrder look_up_order lookUp
  browseCatalog compareProducts filterProducts readArticle fetchPrices queryInventory countItems
  describeProduct previewInvoice estimateDelivery calculateShipping retrieveReceipt summarizeArticle
  explainPolicy locateStore trackOrder trackParcel searchOrders searchBookings getPurchaseHistory getOrder
  getBook getPayRate getCheckoutTotals listTransfers findBooks showRoomTour orders.search shop.orders.search
  checkout.getTotals book.search cart.view items.list isInStock hasReviews hasStock canBookTable
  arePetsAllowed searchAndFilter view-and-compare get3DModel getTop10Products getIDs GET_ORDERS search
  getMP3s get2FAStatus getOpenOrders getPostCode getPostalCode listPostCodes getReviewCount countReviews
  reviews.count getEmailAddress listMessageTemplates getRatingTotals messages.getTemplates
`)

/** Names of tools that read what others wrote. */
export const READING_OTHERS = words(`
  listReviews getReviews search_reviews reviews.list shop.reviews.list getReviewById getBookReviews
  readComments showRatings checkMessages checkMail readInbox searchPosts list-testimonials getFeedback
  findThreads viewReplies listQuestions browseAnswers searchForumDiscussions
`)

/** Names of tools that buy, or have effects that cannot be undone. */
export const ACTING = words(`
  placeOrder place_order place-order placeAnOrder place_an_order PlaceOrder shop.placeOrder order.place
  orders.cancel payments.create placeBid buy buyNow buy_again purchase purchaseTicket checkout check_out
  checkOut check-out checkoutCart cart.checkout checkOutNow pay payInvoice payByCard payTotal book bookTable
  book_a_table bookAPage bookFlight bookAppointment orderPizza order shop.order reserveTable rentCar
  hireGuide subscribe subscribeToNewsletter unsubscribe transferMoney transferFunds donate sendMessage
  send_email submitOrder submit submitReview confirmBooking confirmOrder completePurchase finalizeCheckout
  makePayment makeReservation createOrder scheduleAppointment cancelOrder cancelMySubscription deleteAccount
  deleteReview closeAccount publishPost postComment leaveReview writeReview requestRefund refundOrder
  returnItem withdrawFunds renewSubscription redeemPoints sellShares applyForLoan checkAndBook reviewAndPay
  searchAndBook searchThenBuy getOrCreateOrder confirmAndPay
`)

/** Names that imply neither, many of them close to names that do. */
export const SILENT = words(`
  getQuestionsAndAnswers placePin addToCart add_to_cart removeFromCart updateQuantity applyCoupon
  redeemCoupon openMenu signIn signUp checkIn check_in checkInGuest checkItem bookmarkPage bookMarkPage
  payloadBuilder payLoadBuilder showroomTour researchNotes researchProducts URLLookup productSearch
  orderHistory orderStatus orderDetails orderByPrice bookDetails bookList bookReviews purchase_orders
  purchaseHistory transferStatus checkoutSummary checkout_page paySlip payPalLogin rentCalculator
  reserve_list sellPrices createOrderNote placeholder buyersGuide bookings payments subscription
  getOrCreateCart findAndReplace findReplace find_replace searchAndSave getTermsAndConditions getStarted
  listItem listForSale filterReset searchBar order.status search.clear list.add submitSearch search.submit
  cancelSearch dialog.cancel cancelPolicy startCheckout selectSize sortProducts navigateToPage contactSeller
  addReview listener getter viewer reorderList saveForLater setCurrency html5Video B2BSignup 2ndChance x ...
  --- and
`)
