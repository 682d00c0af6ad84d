# Identifiers may use Unicode letters.
# expect: λ_2 = 1.0
# expect: θ1 = 2.0

param γ = 0.5
θ1 = 2.0
λ_2 = γ * θ1
print λ_2
print θ1
