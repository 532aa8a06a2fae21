"""How fresh_calc draws its cases."""
