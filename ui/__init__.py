"""The dashboard's own parts: what pages share. Pages ask, call once and show; these say how."""
