import './cart.js'
import './forms.js'
import './navigation.js'
