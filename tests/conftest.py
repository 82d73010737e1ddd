"""What all tests share."""

from hypothesis import HealthCheck, settings

# a busy machine draws and runs examples slowly, which says nothing about the code
settings.register_profile("unhurried", parent=settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
