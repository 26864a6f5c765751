import classes from './Brand.module.css'
import mark from './mark.svg'

export function Brand() {
  return (
    <span className={classes.brand}>
      <img src={mark} alt="" width={28} height={28} />
      <span className={classes.name}>Partner Interview API</span>
    </span>
  )
}
