"""What people look at: plots, maps, overlays, and the frame of the pages that hold them; no library is needed."""
